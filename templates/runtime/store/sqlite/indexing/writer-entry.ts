import { serveBatches } from '../thread/writer-loop';
import { IndexWriter } from './index-writer';

/* Entry point of the thread of a WriterThread that writes entries, too. */
serveBatches((connection, kinds) => new IndexWriter(connection, kinds));
