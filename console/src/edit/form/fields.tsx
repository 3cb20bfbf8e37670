import type { ComponentChildren, JSX } from 'preact';
import { memberOf, object } from '../../../../templates/runtime/model/fields/members';
import { resolved, type Shape } from '../../../../templates/runtime/model/fields/shape';
import { type Maybe, own, same, set } from '../../../../templates/runtime/model/fields/values';
import { below } from '../../../../templates/runtime/model/fragment';
import type { JsonObject } from '../../../../templates/runtime/model/schema';
import { Growing } from '../../parts/growing';
import { Text } from '../../parts/text';
import { idOf, useForm } from './form-context';
import { ListControl } from './list-control';
import { MapControl } from './map-control';
import {
  ChoiceControl,
  type ControlProps,
  JsonControl,
  NumberControl,
  TextControl,
  TimeControl,
} from './scalars';
import { isGroup, widgetOf } from './widget';

/** The control of a value, with its failures. */
export function Control(props: ControlProps): JSX.Element {
  const { failures } = useForm();
  return (
    <>
      <ControlOf {...props} />
      <Failures id={idOf(props.pointer)} details={failures.get(props.pointer)} />
    </>
  );
}

function ControlOf(props: ControlProps): JSX.Element {
  switch (widgetOf(props.shape, props.value, props.depth)) {
    case 'choice':
      return <ChoiceControl {...props} />;
    case 'number':
      return <NumberControl {...props} />;
    case 'time':
      return <TimeControl {...props} />;
    case 'text':
      return <TextControl {...props} />;
    case 'list':
      return <ListControl {...props} control={Control} />;
    case 'map':
      return <MapControl {...props} control={Control} />;
    case 'object':
      return <ObjectControl {...props} />;
    case 'json':
      return <JsonControl {...props} />;
  }
}

/** The fields of an object, or a button to make one where there is none: types may contain themselves. */
function ObjectControl(props: ControlProps): JSX.Element {
  const { value, pointer, title = '', onChange } = props;
  const { isBusy } = useForm();
  if (value === undefined)
    return (
      <button type="button" id={idOf(pointer)} class="add" disabled={isBusy} onClick={() => onChange({})}>
        + Add <span class="hidden">{title}</span>
      </button>
    );
  return <FormFields {...props} value={object(value)} />;
}

interface FormFieldsProps extends Pick<ControlProps, 'shape' | 'pointer' | 'title' | 'depth'> {
  value: JsonObject;
  /** The object before the changes, where it is known. */
  before?: Maybe;
  onChange: (value: JsonObject) => void;
}

/** The fields of an object: declared ones in their order, then others, which stay as they are unless they are changed. */
export function FormFields(props: FormFieldsProps): JSX.Element {
  const { value, before, shape, pointer, title, depth, onChange } = props;
  const { properties = {}, required = [] } = shape ? resolved(shape) : {};
  const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  return (
    <Growing entries={[...Object.keys(properties), ...others]}>
      {(names) => (
        <div class="form-fields">
          {names.map((name) => (
            <FormRow
              key={name}
              name={name}
              value={own(value, name)}
              before={own(before, name)}
              isCompared={before !== undefined}
              isDeclared={Object.hasOwn(properties, name)}
              shape={shape && memberOf(shape, name)}
              pointer={below(pointer, name)}
              title={title === undefined || title === '' ? name : `${title} ${name}`}
              isRequired={required.includes(name)}
              depth={depth}
              onChange={(next) => {
                const copy = { ...value };
                set(copy, name, next);
                onChange(copy);
              }}
            />
          ))}
        </div>
      )}
    </Growing>
  );
}

interface FormRowProps extends ControlProps {
  name: string;
  before: Maybe;
  isCompared: boolean;
  isDeclared: boolean;
}

function FormRow(props: FormRowProps): JSX.Element {
  const { name, value, before, isCompared, isDeclared, shape, pointer, isRequired, depth, onChange } = props;
  const { isBusy, follow } = useForm();
  const replace = (next: Maybe): void => {
    const end = pointer.lastIndexOf('/');
    follow(pointer.slice(0, end), (step) => (step === pointer.slice(end + 1) ? undefined : step));
    onChange(next);
  };
  const isNested = isGroup(shape, value, depth + 1);
  const id = idOf(pointer);
  const isChanged = isCompared && !same(value, before);
  // A missing object is a button, which names itself.
  const isNamed = isNested && !(value === undefined && resolved(shape!).properties !== undefined);
  const description = descriptionOf(shape);
  return (
    <div
      class={`form-row${isNested ? ' group' : ''}${isChanged ? ' changed' : ''}`}
      {...(isNamed && { role: 'group', 'aria-labelledby': `${id}-name` })}
    >
      <RowHead {...{ id, name, isNested, isDeclared, isRequired, isChanged }}>
        {isChanged && (
          <button type="button" class="quiet" disabled={isBusy} onClick={() => replace(before)}>
            Undo <span class="hidden">the changes of {name}</span>
          </button>
        )}
        {value !== undefined && !isRequired && (
          <button type="button" class="quiet" disabled={isBusy} onClick={() => replace(undefined)}>
            Clear <span class="hidden">{name}</span>
          </button>
        )}
      </RowHead>
      <div class="form-control">
        {description !== undefined && (
          <p class="hint">
            <Text value={description} longest={500} />
          </p>
        )}
        <Control
          {...{ value, shape, pointer, isRequired, onChange }}
          depth={depth + 1}
          title={isNested ? props.title : undefined}
        />
      </div>
    </div>
  );
}

interface RowHeadProps extends Pick<FormRowProps, 'name' | 'isDeclared' | 'isRequired'> {
  id: string;
  isNested: boolean;
  isChanged: boolean;
  children: ComponentChildren;
}

function RowHead(props: RowHeadProps): JSX.Element {
  const { id, name, isNested, isDeclared, isRequired, isChanged, children } = props;
  const text = <Text value={name} longest={200} />;
  return (
    <div class="form-head">
      {isNested ? (
        <span id={`${id}-name`} class="form-name">
          {text}
        </span>
      ) : (
        <label for={id} class="form-name">
          {text}
        </label>
      )}
      {isRequired && <span class="soft">required</span>}
      {!isDeclared && <span class="soft">not declared</span>}
      {isChanged && <span class="mark">changed</span>}
      <span class="form-buttons">{children}</span>
    </div>
  );
}

function descriptionOf(shape: Shape | undefined): string | undefined {
  return shape?.schema.description ?? (shape && resolved(shape).description);
}

function Failures({ id, details = [] }: { id: string; details?: string[] }): JSX.Element | null {
  if (details.length === 0) return null;
  return (
    <ul id={`${id}-failures`} class="failures">
      {details.map((detail) => (
        <li key={detail} class="failure">
          <Text value={detail} longest={500} />
        </li>
      ))}
    </ul>
  );
}
