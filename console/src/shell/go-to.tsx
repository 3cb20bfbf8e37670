import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleService } from '../../../templates/runtime/console/content';
import { goTo, linkTo } from '../data/route';
import { useConsole } from '../data/service-context';
import { useLoad } from '../data/use-load';
import { sitePagesOf } from '../pages/site-pages';
import { Dialog } from '../parts/dialog';
import { Text } from '../parts/text';
import { hasNames, namedTargets, type Target } from './named-targets';

/** Maximum number of suggestions. */
const MOST = 12;

/** The dialog that opens a kind by its name, or a resource by its uid or its name. */
export function GoTo({ onClose }: { onClose: () => void }): JSX.Element {
  const { service } = useConsole();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const wanted = text.trim();
  const named = useLoad((signal) => namedTargets(service, wanted, signal), [wanted]);
  // Those that are read come last, so that nothing moves under the choice.
  const targets = [...targetsOf(wanted, service).slice(0, MOST), ...(named.value ?? []).slice(0, MOST)];
  const label = service.kinds.some(hasNames)
    ? 'Name of a kind, uid or name of a resource'
    : 'Name of a kind, or uid of a resource';
  const open = (target: Target | undefined): void => {
    if (target === undefined) return;
    onClose();
    goTo(target.link);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') open(targets[chosen]);
    else if (step === undefined || targets.length === 0) return;
    else setChosen((chosen + step + targets.length) % targets.length);
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        type="text"
        autofocus
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls="targets"
        aria-activedescendant={targets.length > 0 ? `target-${chosen}` : undefined}
        placeholder={label}
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKey}
      />
      <ul id="targets" class="targets" role="listbox" aria-label="Results">
        {targets.map((target, index) => (
          <li
            key={target.link}
            id={`target-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => open(target)}
          >
            <Text value={target.name} longest={200} /> <span class="soft">{target.note}</span>
          </li>
        ))}
      </ul>
      {targets.length === 0 && !named.isLoading && (
        <p class="soft">Nothing has this name, and no uid starts like this.</p>
      )}
    </Dialog>
  );
}

function targetsOf(text: string, service: ConsoleService): Target[] {
  const { kinds } = service;
  const [prefix = ''] = /^[a-z]{3}-/.exec(text) ?? [];
  const resources = kinds
    .filter(({ uidPrefix }) => `${uidPrefix}-` === prefix)
    .map(({ kind, plural }) => ({ name: text, note: `${kind} · ${plural}`, link: linkTo([plural, text]) }));
  const wanted = text.toLowerCase();
  const named = kinds
    .filter(({ kind, plural }) => kind.toLowerCase().includes(wanted) || plural.includes(wanted))
    .map(({ kind, plural, group }) => ({ name: kind, note: `${plural} · ${group}`, link: linkTo([plural]) }));
  const pages = sitePagesOf(service)
    .filter(({ title }) => title.toLowerCase().includes(wanted))
    .map(({ name, title }) => ({ name: title, note: 'page', link: linkTo(['-', name]) }));
  return [...resources, ...named.slice(0, MOST - pages.length), ...pages];
}
