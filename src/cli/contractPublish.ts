import { Command } from 'commander';

export const contractPublish = new Command('publish')
  .description('pass the gate, then make openapi.yaml the published document and write its changes into the changelog')
  .action(async () => {
    const { publishChecked } = await import('./gate.ts');
    await publishChecked();
  });
