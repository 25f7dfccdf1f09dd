/** Reads feeds in its own thread, because a feed of 2 MB takes 100 ms, which must not delay requests. */
import { answerTasks } from '../../kernel/threads/thread-tasks.ts';
import { type FeedFile, readFeedFile } from './feed-reader.ts';

answerTasks((file: FeedFile) =>
  readFeedFile(file).catch((error: Error) => {
    throw new Error(`This is not a feed (${error.message})`);
  }),
);
