import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { ConsoleSetting } from '../../../../templates/runtime/console/content';
import { Empty } from '../../parts/loading';
import { Text } from '../../parts/text';
import { useKeys } from '../../parts/use-keys';

/** The settings of the service; those that may be secret without their values. */
export function SettingsTable({ settings }: { settings: ConsoleSetting[] }): JSX.Element {
  const [filter, setFilter] = useState('');
  const [isAll, setAll] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useKeys({ '/': () => field.current?.focus() });
  const wanted = filter.trim().toLowerCase();
  const changed = settings.filter(({ isDefault }) => !isDefault);
  const shown = (isAll || wanted !== '' ? settings : changed).filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(wanted),
  );
  return (
    <section aria-label="Settings">
      <div class="head">
        <h2>Settings</h2>
        <input
          ref={field}
          type="search"
          aria-label="Filter the settings"
          placeholder="Filter  /"
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        <button type="button" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? 'Only changed' : `All ${settings.length}`}
        </button>
      </div>
      {shown.length === 0 ? (
        <Empty title={wanted === '' ? 'Every setting has its default' : 'No setting has this text'} />
      ) : (
        <div class="table-box" role="group" aria-label="Settings" tabIndex={0}>
          <table class="settings">
            <tbody>
              {shown.map((setting) => (
                <SettingRow key={setting.name} {...setting} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function SettingRow({ name, description, isDefault, value }: ConsoleSetting): JSX.Element {
  const hidden = isDefault ? 'not set' : 'set, not shown here';
  return (
    <tr>
      <th scope="row">
        <code>{name}</code>
        <p class="soft note">{description}</p>
      </th>
      <td>
        {value === undefined ? (
          <span class="soft">{hidden}</span>
        ) : (
          <code>{value === '' ? <span class="soft">empty</span> : <Text value={value} longest={500} />}</code>
        )}
        {isDefault && value !== undefined && <span class="soft"> default</span>}
      </td>
    </tr>
  );
}
