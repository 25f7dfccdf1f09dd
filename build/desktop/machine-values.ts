/** Reads the values that an administrator has set for this computer (`vitrine set-up`). */
import { readFileSync } from 'node:fs';
import { installFile, type ReadValues, valuesInFile, variablesOf } from '../../shared/desktop/install-values.ts';

export const machineValues = (
  platform: NodeJS.Platform = process.platform,
  env: NodeJS.ProcessEnv = process.env,
  file = installFile(platform, env),
): ReadValues => {
  let contents: string | undefined;
  try {
    contents = readFileSync(file, 'utf8');
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT') return { values: {}, wrong: [`${file} cannot be read: ${message}`] };
  }
  return valuesInFile(contents, file);
};

/** Passes the values to child programs as environment variables; existing variables take precedence. */
export const exportToPrograms = ({ values }: ReadValues, env: NodeJS.ProcessEnv = process.env): void => {
  for (const [name, value] of Object.entries(variablesOf(values))) env[name] ||= value;
};
