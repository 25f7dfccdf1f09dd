import type { Command } from './command.ts';
export const exportCommand = { name: 'export', usage: 'export', summary: 'x', help: '', options: {}, takes: [0, 0], run: async () => ({ result: 1 }) } as Command;
export const importCommand = { name: 'import', usage: 'import', summary: 'x', help: '', options: {}, takes: [0, 0], run: async () => ({ result: 1 }) } as Command;
