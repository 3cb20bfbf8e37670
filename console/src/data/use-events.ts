import { useEffect, useRef, useState } from 'preact/hooks';
import { PositionGoneError } from '../../../templates/client/errors';
import { type EventOptions, EventStream } from '../../../templates/client/events';
import { connection, type Resource } from './api';
import { useConsole } from './service-context';

/** An event of the service, a CloudEvent. */
export interface ResourceEvent {
  id: string;
  type: string;
  time: string;
  /** Set if the write took the resource out of the selection. */
  selection?: 'left';
  data: {
    action: 'created' | 'updated' | 'deleted';
    resourceKind: string;
    resourceUID: string;
    resourceName: string;
    resource: Resource;
    actor?: string;
    metadata?: { updatedAt?: string; updateType?: string };
  };
}

/** The events to follow. */
export type EventSelection = Pick<
  EventOptions,
  'types' | 'kinds' | 'labelSelector' | 'fieldSelector' | 'version' | 'lastEventId'
>;

/** State of the stream: `off` in a service without events, `broken` while it cannot be read. */
export type StreamState = 'off' | 'connecting' | 'live' | 'broken';

/** Pause before a refused stream is tried again, in milliseconds. */
const RETRY_MS = 15_000;

/** The functions that a stream calls. */
interface Handlers {
  /** Called with each event, and the position after it. */
  onEvent: (event: ResourceEvent, position: string) => void;
  /** Called with the reason why the stream cannot be read. */
  onError?: (error: unknown) => void;
  /** Called when the stream begins from now on: it has no earlier changes. */
  onStart?: () => void;
}

/**
 * Follows the events that the options select, from now on or after their position. Undefined options follow none. A hidden page
 * closes its stream, and goes on where it was: a browser has six connections to a service, for all tabs.
 */
export function useEvents(options: EventSelection | undefined, handlers: Handlers): StreamState {
  const { session } = useConsole();
  const isVisible = useVisible();
  const latest = useRef(handlers);
  latest.current = handlers;
  const [state, setState] = useState<StreamState>('off');
  const key = JSON.stringify([options, session]);
  const progress = useRef<{ key?: string; lastEventId?: string }>({});
  useEffect(() => {
    if (options === undefined) return setState('off');
    if (!isVisible) return setState('connecting');
    if (progress.current.key !== key) progress.current = { key, lastEventId: options.lastEventId };
    const own = progress.current;
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async (): Promise<void> => {
      setState('connecting');
      const onOpen = (): void => {
        setState('live');
        if (stream.position === undefined) latest.current.onStart?.();
      };
      const onLost = (): void => setState('connecting');
      const { lastEventId } = own;
      const stream = new EventStream<ResourceEvent>(connection, {
        ...options,
        ...{ lastEventId, signal, onOpen, onLost },
      });
      try {
        for await (const event of stream) {
          own.lastEventId = stream.position;
          latest.current.onEvent(event, stream.position ?? '');
        }
      } catch (error) {
        if (signal.aborted) {
          own.lastEventId = stream.position;
          return;
        }
        setState('broken');
        latest.current.onError?.(error);
        if (error instanceof PositionGoneError) own.lastEventId = undefined;
        const timer = setTimeout(() => void follow(), RETRY_MS);
        signal.addEventListener('abort', () => clearTimeout(timer));
      }
    };
    void follow();
    return () => controller.abort();
  }, [key, isVisible]);
  return state;
}

/** Returns whether the page can be seen: its tab is the current one of its window. */
function useVisible(): boolean {
  const [isVisible, setVisible] = useState(!document.hidden);
  useEffect(() => {
    const update = (): void => setVisible(!document.hidden);
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return isVisible;
}
