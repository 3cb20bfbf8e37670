import type { JSX } from 'preact';
import type { ConsoleVersion } from '../../../../templates/runtime/console/content';
import { memberOf, object } from '../../../../templates/runtime/model/fields/members';
import type { Shape } from '../../../../templates/runtime/model/fields/shape';
import { type Maybe, own, set } from '../../../../templates/runtime/model/fields/values';
import type { JsonObject } from '../../../../templates/runtime/model/schema';
import { Control } from '../../edit/form/fields';
import { failuresByPointer, FormContext, holding, idOf } from '../../edit/form/form-context';
import { draftShape } from '../../edit/work/draft';
import type { DraftState } from '../../edit/work/use-editing';
import { FieldValue } from '../../parts/field-value';
import { Text } from '../../parts/text';

interface CellProps {
  /** Dotted paths of the fields in this version. */
  paths: string[];
  resource: JsonObject;
  details: ConsoleVersion;
  /** Set while this version is being edited. */
  editing?: DraftState;
}

/** The fields of one version in a row. */
export function Cell({ paths, resource, details, editing }: CellProps): JSX.Element {
  if (paths.length === 0) return <span class="soft">not in this version</span>;
  return (
    <>
      {paths.map((path) => {
        const steps = path.split('.');
        const isEdited = editing !== undefined && steps[0] === 'spec';
        const root: Shape = {
          schema: { type: 'object', properties: { spec: details.spec, status: details.status } },
          types: details.types,
        };
        const shape = steps.reduce<Shape | undefined>(
          (around, step) => around && memberOf(around, step),
          root,
        );
        return (
          <div key={path} class="version-field">
            <span class="soft path">
              <Text value={path} longest={200} />
            </span>
            {isEdited ? (
              <EditedField {...{ steps, details, editing }} />
            ) : (
              <FieldValue
                value={steps.reduce<Maybe>(own, resource)}
                schema={shape?.schema}
                types={details.types}
                depth={1}
              />
            )}
          </div>
        );
      })}
    </>
  );
}

interface EditedFieldProps {
  steps: string[];
  details: ConsoleVersion;
  editing: DraftState;
}

function EditedField({ steps, details, editing }: EditedFieldProps): JSX.Element {
  const { work, failures, isBusy, change } = editing;
  const { draft } = work;
  const shape = steps.reduce<Shape | undefined>(
    (around, step) => around && memberOf(around, step),
    draftShape(details),
  );
  const pointer = `/${steps.join('/')}`;
  return (
    <FormContext.Provider
      value={{
        isBusy,
        failures: failuresByPointer(failures),
        ...holding(work.held, (held) => change({ held })),
      }}
    >
      <div class="form-control" id={`${idOf(pointer)}-name`} tabIndex={-1}>
        <Control
          value={steps.reduce<Maybe>(own, draft)}
          {...{ shape, pointer }}
          title={steps.slice(1).join(' ')}
          isRequired={false}
          depth={1}
          onChange={(value) => change({ draft: withMember(draft, steps, value), text: undefined })}
        />
      </div>
    </FormContext.Provider>
  );
}

/** Returns a copy of an object with another value at a path of members; undefined removes it. */
function withMember(whole: JsonObject, [step, ...rest]: string[], value: Maybe): JsonObject {
  const copy = { ...whole };
  set(copy, step, rest.length === 0 ? value : withMember(object(own(whole, step)), rest, value));
  return copy;
}
