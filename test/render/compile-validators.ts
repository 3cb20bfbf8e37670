import { join } from 'node:path';
import ts from 'typescript';
import type { VersionSchemas } from '../../src/model/json-schema';
import { validatorModule } from '../../src/render/kinds/validators';
import type { Validator } from '../../templates/runtime/model/kinds/kind';

const RUNTIME = join(__dirname, '../..', 'templates', 'runtime');

/** The validators that a service would get for these schemas, loaded. */
export function compileValidators(schemas: VersionSchemas): {
  validateSpec: Validator;
  validateStatus: Validator;
} {
  const { outputText } = ts.transpileModule(validatorModule(schemas, RUNTIME), {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      esModuleInterop: true,
      target: ts.ScriptTarget.ES2023,
    },
  });
  const module = { exports: {} };
  new Function('require', 'exports', outputText)(require, module.exports);
  return module.exports as ReturnType<typeof compileValidators>;
}
