import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ConsoleService } from '../../../templates/runtime/console/content';
import { type Credentials, readCredentials, writeCredentials } from '../data/credentials';
import { Dialog } from '../parts/dialog';

interface SignInProps {
  security: ConsoleService['security'];
  onClose: () => void;
  onChange: () => void;
}

const BEARER = 'Bearer ';

/** The dialog for credentials: a field for each way in which callers identify themselves. */
export function SignIn({ security, onClose, onChange }: SignInProps): JSX.Element {
  const [values, setValues] = useState<Credentials>(readCredentials);
  const save = (credentials: Credentials): void => {
    writeCredentials(credentials);
    onChange();
    onClose();
  };
  return (
    <Dialog title="Sign in" onClose={onClose}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          save(values);
        }}
      >
        <p class="soft">
          Any one of these suffices. It stays in this tab until you close it, and is sent to this service
          only.
        </p>
        {security.map((scheme, index) => {
          const header = scheme.type === 'bearer' ? 'Authorization' : scheme.header;
          const prefix = scheme.type === 'bearer' ? BEARER : '';
          return (
            <label class="field" key={header}>
              <span>{scheme.type === 'bearer' ? 'Bearer token' : `API key (${scheme.header})`}</span>
              <input
                type="password"
                autofocus={index === 0}
                autocomplete="off"
                spellcheck={false}
                // Others cannot be sent in a header.
                pattern="[ -~]*"
                title="Letters, digits and signs of ASCII"
                value={(values[header] ?? '').slice(prefix.length)}
                onInput={({ currentTarget: { value } }) => {
                  const token = value.trim();
                  setValues({ ...values, [header]: token === '' ? '' : prefix + token });
                }}
              />
            </label>
          );
        })}
        <div class="dialog-end">
          <button type="button" onClick={() => save({})}>
            Sign out
          </button>
          <button type="submit" class="first">
            Sign in
          </button>
        </div>
      </form>
    </Dialog>
  );
}
