import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Content } from '../../../shared/contract/content/content.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import type { Design } from '../../../shared/design/design.ts';
import { useEdit } from '../../api/editing/useEdit.ts';
import { contentQuery } from '../../api/files/content.ts';
import { designQuery, saveDesign } from '../../api/files/designs.ts';
import { ButtonLink } from '../../components/controls/Button.tsx';
import { ChangeForm } from '../../components/fields/Form.tsx';
import { Bone } from '../../components/frame/Page.tsx';
import { Unanswered } from '../records/QueryFailure.tsx';
import { FillFields } from './FillFields.tsx';
import { type Changes, fieldsOf, withValues } from './fields.ts';
import { useNewPictures } from './newPictures.ts';
import { TwoPreviews } from './TwoPreviews.tsx';

type DesignWordsProps = { content: Content; etag: string | undefined; canChange: boolean };

/** Changes words, prices and pictures of a design beside its drawing, without the designer. */
export function DesignWords({ content, etag, canChange }: DesignWordsProps) {
  const { id, sha256 } = content;
  const document = useQuery({ ...designQuery(id, sha256 ?? ''), enabled: sha256 !== null });
  return (
    <>
      <Unanswered query={document} bones={<Bone height="16rem" radius="var(--r-l)" />} />
      {document.data && (
        <Words key={sha256} content={content} etag={etag} canChange={canChange} design={document.data} />
      )}
    </>
  );
}

function Words({ content, etag, canChange, design }: DesignWordsProps & { design: Design }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const pictures = useNewPictures();
  const [changes, setChanges] = useState<Changes>({});
  const fields = fieldsOf(design);
  const changed = withValues(design, changes);
  const save = useEdit<void, Content>({
    topics: ['content'],
    run: async () => {
      const stored = await pictures.store(changed, content.folder_id ?? undefined);
      const saved = await saveDesign(content, stored, etag);
      if (saved.sha256 !== null) queries.setQueryData(designQuery(content.id, saved.sha256).queryKey, stored);
      await queries.invalidateQueries({ queryKey: contentQuery(content.id).queryKey });
      return saved;
    },
    said: () => t('designer.saved'),
    done: () => setChanges({}),
    failed: (error) => {
      if (error instanceof ApiError && error.status === 412)
        void queries.invalidateQueries({ queryKey: contentQuery(content.id).queryKey });
      return false;
    },
  });
  return (
    <div className="design-words">
      <TwoPreviews design={changed} pictures={pictures} />
      <section aria-label={t('templates.words')}>
        <div className="design-words-head">
          <h3>{t('templates.words')}</h3>
          <ButtonLink
            to="/content/$contentId/design"
            params={{ contentId: content.id }}
            size="small"
            icon={Pencil}
            variant={canChange ? 'secondary' : 'quiet'}
          >
            {canChange ? t('templates.edit') : t('templates.look')}
          </ButtonLink>
        </div>
        {canChange && (
          <ChangeForm
            changed={changed !== design}
            isPending={save.isPending}
            onSave={() => save.mutate()}
            onDiscard={() => setChanges({})}
          >
            <FillFields
              fields={fields}
              changes={changes}
              pictures={pictures}
              onChange={(key, value) => setChanges((now) => ({ ...now, [key]: value }))}
            />
          </ChangeForm>
        )}
      </section>
    </div>
  );
}
