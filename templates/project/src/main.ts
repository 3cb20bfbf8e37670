import { createApp } from './app';
import { startControllers } from './controllers/start';
import { loadEnvironment, serve, service } from './generated';

loadEnvironment();

void serve(service, createApp, startControllers);
