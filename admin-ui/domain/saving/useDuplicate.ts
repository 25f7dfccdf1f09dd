import type { NavigateOptions } from '@tanstack/react-router';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { CopyBody } from '../../../shared/contract/content/copies.ts';
import { isLanguage } from '../../../shared/contract/people/language.ts';
import type { Topic } from '../../../shared/protocol/live.ts';
import { useEdit } from '../../api/editing/useEdit.ts';

type Duplicate<R> = {
  topics: readonly Topic[];
  run: (body: CopyBody) => Promise<R>;
  said: (copy: R) => string | { text: string; detail: string };
  /** Returns the page of the copy. */
  to: (copy: R) => NavigateOptions;
};

/** Copies a record under a free name in the user's language, and opens the copy. */
export const useDuplicate = <R>({ topics, run, said, to }: Duplicate<R>) => {
  const { i18n } = useTranslation();
  const navigate = useNavigate();
  const language = i18n.language.slice(0, 2);
  return useEdit<void, R>({
    topics,
    run: () => run(isLanguage(language) ? { language } : {}),
    said,
    done: (copy) => void navigate(to(copy)),
  });
};
