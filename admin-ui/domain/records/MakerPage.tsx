import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { May } from '../../api/session/rights.ts';
import { LeaveGuard } from '../../components/frame/LeaveGuard.tsx';
import { Page } from '../../components/frame/Page.tsx';
import { ConflictNotice, SaveButtons } from '../../components/frame/SaveBar.tsx';
import { Hindered } from '../saving/Hindered.tsx';
import { KeptChanges } from '../saving/KeptNotice.tsx';
import type { ConfigDraft } from '../saving/useConfigDraft.ts';
import type { useSave } from '../saving/useSave.ts';
import '../../components/frame/maker.css';

type MakerPageProps = {
  title: string;
  lead?: string;
  back: ReactNode;
  /** The user's rights to the record. */
  may: May;
  /** Identifies the record among the unsaved changes in the browser: `widgets/ID`. */
  place: string;
  draft: ConfigDraft;
  save: Pick<ReturnType<typeof useSave>, 'isPending' | 'mutate'>;
  /** Buttons that are shown before the save buttons. */
  actions: ReactNode;
  /** Menu that is shown after all buttons, as on every page. */
  menu: ReactNode;
  /** Form and preview. Both are only for users who may write. */
  form: ReactNode;
  preview: ReactNode;
  /** Label that marks a record of headquarters. */
  mark?: ReactNode;
  /** Button that copies a record of headquarters. */
  copy?: ReactNode;
  /** The dialogs of the page. */
  children: ReactNode;
};

/** The page of a record with settings: its form, and its preview beside it. */
export function MakerPage({
  title,
  lead,
  back,
  may: { may: canWrite, why, isHeld },
  place,
  draft,
  save,
  actions,
  menu,
  form,
  preview,
  children,
  mark,
  copy,
}: MakerPageProps) {
  const { t } = useTranslation();
  return (
    <Page
      before={back}
      title={title}
      lead={lead}
      actions={
        (canWrite || actions || menu) && (
          <>
            {actions}
            {canWrite && (
              <SaveButtons
                draft={draft}
                isDisabled={draft.unnamed}
                isPending={save.isPending}
                onSave={() => save.mutate()}
              />
            )}
            {menu}
          </>
        )
      }
    >
      <LeaveGuard when={draft.dirty} />
      {canWrite && <KeptChanges place={place} draft={draft} />}
      <ConflictNotice draft={draft} words="preview" />
      {mark}
      <Hindered why={why} actions={isHeld && copy} />
      <div className="maker">
        {canWrite && (
          <fieldset className="maker-form" aria-label={t('nav.settings')}>
            {form}
          </fieldset>
        )}
        <div className="maker-preview">{canWrite || isHeld ? preview : <p>{t('widget.readOnly')}</p>}</div>
      </div>
      {children}
    </Page>
  );
}
