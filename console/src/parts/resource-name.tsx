import type { JSX } from 'preact';
import { Text } from './text';

interface ResourceNameProps {
  name: string;
  uid: string;
  /** Maximum length in characters. */
  longest: number;
}

/** The name of a resource; its uid where nothing of the name can be seen, so that a link has something to press. */
export function ResourceName({ name, uid, longest }: ResourceNameProps): JSX.Element {
  return <Text value={name.trim() === '' ? uid : name} longest={longest} />;
}
