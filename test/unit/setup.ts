import { afterAll } from 'vitest';
import './support/connections.ts';
import { removeFolders } from './support/folder.ts';

afterAll(removeFolders);
