import { Command } from 'commander';
import { isGitHub } from '../config.ts';
import { type Format, withFormats } from './changeFormat.ts';

export const contractCheck = withFormats(new Command('check'))
  .description(
    'the gate: lint openapi.yaml, look whether generated/ is fresh, compare with the last published document',
  )
  .action(async (format: Format) => {
    // Only here: the other commands need not wait until the catalogue of rules is loaded.
    const { check } = await import('./gate.ts');
    const asked = Object.keys(format).length > 0;
    await check(asked ? format : { github: isGitHub(process.env) });
  });
