#!/usr/bin/env -S node --max-semi-space-size=16 --max-old-space-size=256
// The heap is bounded, in megabytes, for a service that keeps nothing: unbounded it grows to twice the size and is no
// faster.
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// What was compiled once is kept, where that may be written: a start takes two thirds of the time. Beside the packages
// and not in the system's folder for temporary files, where another user could put code of his own.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/animal-store', import.meta.url)));
await import('./program.ts');
