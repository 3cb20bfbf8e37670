import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleService } from '../../../templates/runtime/console/content';
import { goTo, linkTo } from '../data/route';
import { useConsole } from '../data/service-context';
import { sitePagesOf } from '../pages/site-pages';
import { Dialog } from '../parts/dialog';

/** Maximum number of suggestions. */
const MOST = 12;

interface Target {
  name: string;
  note: string;
  link: string;
}

/** The dialog that opens a kind by its name, or a resource by its uid. */
export function GoTo({ onClose }: { onClose: () => void }): JSX.Element {
  const { service } = useConsole();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const targets = targetsOf(text.trim(), service).slice(0, MOST);
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
        aria-label="Name of a kind, or uid of a resource"
        aria-expanded="true"
        aria-controls="targets"
        aria-activedescendant={targets.length > 0 ? `target-${chosen}` : undefined}
        placeholder="Name of a kind, or uid of a resource"
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
            <span>{target.name}</span> <span class="soft">{target.note}</span>
          </li>
        ))}
      </ul>
      {targets.length === 0 && (
        <p class="soft">No kind or page has this name, and no uid starts like this.</p>
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
