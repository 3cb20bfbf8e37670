import { serveBatches } from './writer-loop';

/* Entry point of the thread of a WriterThread. */
void serveBatches();
