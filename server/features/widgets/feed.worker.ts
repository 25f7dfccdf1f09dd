/** Feeds are read in a thread of their own: one of 2 MB takes 100 ms, in which nothing else may wait. */
import { answerTasks } from '../../kernel/thread-tasks.ts';
import { type FeedFile, readFeedFile } from './feed-reader.ts';

answerTasks((file: FeedFile) =>
  readFeedFile(file).catch((error: Error) => {
    throw new Error(`This is not a feed (${error.message})`);
  }),
);
