import { existsSync } from 'node:fs';
import { createApp } from './app';
import { startControllers } from './controllers/start';
import { serve } from './generated/runtime/serve';
import { service } from './generated/service';

if (existsSync('.env')) process.loadEnvFile('.env');

void serve(service, createApp, startControllers);
