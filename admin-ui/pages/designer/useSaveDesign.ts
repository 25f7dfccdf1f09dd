import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Design } from '../../../shared/design/design.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { contentQuery } from '../../api/files/content.ts';
import { designQuery, saveDesign } from '../../api/files/designs.ts';
import type { Draft } from '../../components/hooks/useHistory.ts';

/** Saves the document as the new file of its content. Screens that show the design change over. */
export const useSaveDesign = (content: Content, draft: Draft<Design>) => {
  const { t } = useTranslation();
  const queries = useQueryClient();
  return useEdit({
    topics: ['content'],
    run: async () => {
      const design = draft.value;
      const saved = await saveDesign(content, design, draft.ifMatch);
      // The next version is known, so that the page does not fetch it and keeps its place.
      if (saved.sha256 !== null) queries.setQueryData(designQuery(content.id, saved.sha256).queryKey, design);
      await queries.invalidateQueries({ queryKey: contentQuery(content.id).queryKey });
      return saved;
    },
    said: () => t('designer.saved'),
    done: () => draft.forget(),
    failed: (error) => {
      if (!(error instanceof ApiError) || error.status !== 412) return false;
      void queries.invalidateQueries({ queryKey: contentQuery(content.id).queryKey });
      return true;
    },
  });
};
