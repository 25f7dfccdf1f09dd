import { useQueryClient } from '@tanstack/react-query';
import { FileInput } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components/FileTrigger';
import { useTranslation } from 'react-i18next';
import {
  ENROLMENT_ENDING,
  MAX_ENROLMENT_FILE_BYTES,
  type Offline,
  readEnrolmentFile,
} from '../../../shared/chain/enrolment-file.ts';
import { ApiError } from '../../../shared/contract/errors.ts';
import { type ChainState, enrolStore } from '../../../shared/contract/headquarters/chain.ts';
import { enrolByFile } from '../../../shared/contract/headquarters/transfer-files.ts';
import { chainQuery } from '../../api/chain/chain.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { refusalOf } from '../../api/editing/useForm.utils.ts';
import { client } from '../../api/requests/client.ts';
import { useMe } from '../../api/session/me.ts';
import { Checkbox } from '../../components/choices/Choices.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Form } from '../../components/fields/Form.tsx';
import { TextField } from '../../components/fields/TextField.tsx';
import { Notice, Section } from '../../components/frame/Page.tsx';
import { Enrolment, filledBy } from './headquarters.utils.ts';
import { MayField } from './MayField.tsx';

/** Maximum length of the field in characters, since the text of a whole enrolment file may be pasted. */
const MAX_PASTED = 500;

/** Form that explains headquarters, and enrols the workspace with it. */
export function EnrolForm({ isHeadquarters }: { isHeadquarters: boolean }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const [refused, setRefused] = useState<string>();
  /** Content of an enrolment file, for a store that cannot reach headquarters. */
  const [offline, setOffline] = useState<Offline>();
  const [noLine, setNoLine] = useState(false);
  // The server serves more people than this workspace, so only its administrators may let headquarters update it.
  const isAdmin = useMe().is_platform_admin;
  // The form has no `place`, since the code is a secret and must not be stored in the browser.
  const form = useForm<Enrolment, ChainState>({
    start: { address: '', code: '', may: 'workspace_admin', lets_update: isAdmin },
    schema: Enrolment,
    topics: ['chain'],
    run: (body) => {
      setRefused(undefined);
      if (offline && noLine) return client.call(enrolByFile, { body: { ...body, ...offline } });
      return client.call(enrolStore, { body });
    },
    done: (state) => queries.setQueryData(chainQuery.queryKey, state),
    said: ({ link }) => t('chain.enrolled', { name: link?.headquarters ?? '' }),
    refused: (error) => {
      const said = refusalOf(error);
      if (said && ('address' in said || 'code' in said)) return said;
      // These statuses may mean that headquarters does not answer or that it refuses, so the message is shown as it
      // is.
      if (error instanceof ApiError && (error.status === 400 || error.status === 409)) {
        setRefused(error.message);
        return { address: '' };
      }
      return undefined;
    },
  });
  const [notFile, setNotFile] = useState(false);
  /** Fills the form with the content of an enrolment file, without sending the form. */
  const take = async (file: File | undefined) => {
    if (!file) return;
    const enrolment = file.size > MAX_ENROLMENT_FILE_BYTES ? undefined : readEnrolmentFile(await file.text());
    setNotFile(enrolment === undefined);
    setOffline(enrolment?.offline);
    if (enrolment) form.set({ address: enrolment.address, code: enrolment.code });
  };
  const { error: wrongAddress, ...address } = form.field('address', t('chain.address'));
  const type = (field: keyof Enrolment) => (text: string) => form.set(filledBy(field, text));
  return (
    <>
      {!isHeadquarters && (
        <p>
          {t('chain.what')} {t('chain.stays')}
        </p>
      )}
      <Section title={t('chain.enrolTitle')} lead={t('chain.enrolLead')}>
        <div className="card pad">
          <Form onSubmit={form.send}>
            {refused !== undefined && (
              <Notice tone="bad" title={t('chain.failed')}>
                {refused}
              </Notice>
            )}
            <TextField
              {...address}
              onChange={type('address')}
              error={wrongAddress || undefined}
              hint={t('chain.addressHint')}
              spellCheck="false"
              autoComplete="off"
              maxLength={MAX_PASTED}
            />
            <TextField
              {...form.field('code', t('chain.code'), form.values.code.trim() ? t('chain.codeWrong') : undefined)}
              onChange={type('code')}
              hint={t('chain.codeHint')}
              spellCheck="false"
              autoComplete="off"
              maxLength={MAX_PASTED}
            />
            <MayField may={form.values.may} onChange={(may) => form.set({ may })} />
            {isAdmin && (
              <Checkbox
                isSelected={form.values.lets_update === true}
                onChange={(lets_update) => form.set({ lets_update })}
                hint={t('chain.letsUpdateHint')}
              >
                {t('chain.letsUpdate')}
              </Checkbox>
            )}
            {offline && (
              <Checkbox isSelected={noLine} onChange={setNoLine} hint={t('chain.noLineHint')}>
                {t('chain.noLine')}
              </Checkbox>
            )}
            {notFile && <Notice tone="bad" title={t('chain.noFile')} />}
            <div className="form-actions">
              <FileTrigger acceptedFileTypes={[ENROLMENT_ENDING]} onSelect={(files) => void take(files?.[0])}>
                <Button icon={FileInput}>{t('chain.fromFile')}</Button>
              </FileTrigger>
              <Button type="submit" variant="primary" isPending={form.isPending}>
                {t('chain.enrol')}
              </Button>
            </div>
          </Form>
        </div>
      </Section>
    </>
  );
}
