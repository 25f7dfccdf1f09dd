import { useMutation, useQuery } from '@tanstack/react-query';
import { FileText, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  createSavedReport,
  deleteSavedReport,
  NewSavedReport,
  type SavedReport,
} from '../../../shared/contract/server/reports.ts';
import { Button, IconButton } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import '../../components/lists/ListRow.css';
import { useEdit } from '../../api/editing/useEdit.ts';
import { useForm } from '../../api/editing/useForm.ts';
import { downloadPaper, savedReportsQuery } from '../../api/reports.ts';
import { client } from '../../api/requests/client.ts';
import { useProblem } from '../../api/requests/useProblem.ts';
import { useHasAllScreens } from '../../api/session/me.ts';
import { TextField } from '../../components/fields/TextField.tsx';
import { Bone } from '../../components/frame/Page.tsx';
import { Unanswered } from '../../domain/records/QueryFailure.tsx';
import { isoDays, rangeFrom } from '../../domain/time/period.utils.ts';
import { fromSaved, membersOf, toSaved } from './filters.utils.ts';
import type { ReportsData } from './useReportsData.ts';

type Props = { data: ReportsData; onClose: () => void };

/** Dialog that saves the present report and opens saved reports. */
export function SavedReports({ data, onClose }: Props) {
  const { t } = useTranslation();
  const saved = useQuery(savedReportsQuery);
  // Only users with rights for all screens may save reports, since saved reports cover all screens and can be mailed
  // to anybody.
  const mayChange = useHasAllScreens();
  return (
    <Dialog title={t('reports.saved')} onClose={onClose}>
      <Unanswered query={saved} bones={<Bone height="3rem" />} />
      {saved.data && saved.data.length > 0 && (
        <ul className="report-saved">
          {saved.data.map((report) => (
            <SavedRow
              key={report.id}
              report={report}
              today={data.today}
              mayDelete={mayChange}
              onOpen={() => {
                data.narrow(fromSaved(report.filters));
                onClose();
              }}
            />
          ))}
        </ul>
      )}
      {mayChange ? <SaveReport data={data} onClose={onClose} /> : <p className="field-hint">{t('rights.lookOnly')}</p>}
    </Dialog>
  );
}

type SavedRowProps = { report: SavedReport; today: number; mayDelete: boolean; onOpen: () => void };

function SavedRow({ report, today, mayDelete, onOpen }: SavedRowProps) {
  const { t } = useTranslation();
  const paper = useMutation({
    mutationFn: () =>
      downloadPaper(
        { ...isoDays(rangeFrom({ range: 'lastMonth' }, today)), ...membersOf(fromSaved(report.filters)) },
        { language: report.language, title: report.name },
      ),
    onError: useProblem(),
  });
  const remove = useEdit({
    topics: ['reports'],
    run: () => client.call(deleteSavedReport, { params: { id: report.id } }),
    said: () => t('reports.savedDeleted', { name: report.name }),
  });
  return (
    <li className="list-row">
      <div className="row-what">
        <strong>{report.name}</strong>
        <small>
          {report.recipients.length === 0
            ? t('reports.sentToNobody')
            : t('reports.sentTo', { people: report.recipients.join(', ') })}
        </small>
      </div>
      <Button size="small" onPress={onOpen}>
        {t('reports.open')}
      </Button>
      <Button
        size="small"
        icon={FileText}
        aria-label={t('reports.paperOf', { name: report.name })}
        isPending={paper.isPending}
        onPress={() => paper.mutate()}
      >
        {t('reports.ranges.lastMonth')}
      </Button>
      {mayDelete && (
        <IconButton
          icon={Trash2}
          size="small"
          label={t('reports.savedDelete', { name: report.name })}
          isDisabled={remove.isPending}
          onPress={() => remove.mutate()}
        />
      )}
    </li>
  );
}

/** Splits a text with several e-mail addresses. */
const addressesIn = (text: string): string[] => text.split(/[\s,;]+/).filter((address) => address !== '');

const NOTHING: { name: string; recipients: string[] } = { name: '', recipients: [] };

function SaveReport({ data, onClose }: Props) {
  const { t, i18n } = useTranslation();
  const [people, setPeople] = useState('');
  const form = useForm({
    start: NOTHING,
    schema: NewSavedReport,
    topics: ['reports'],
    run: ({ name, recipients }) =>
      client.call(createSavedReport, {
        body: {
          name,
          filters: toSaved(data.filters),
          language: i18n.language.startsWith('de') ? 'de' : 'en',
          recipients,
        },
      }),
    said: (_, { name }) => t('reports.savedDone', { name }),
    done: onClose,
  });
  const recipients = form.field('recipients', t('reports.recipients'));
  return (
    <form
      className="report-save"
      onSubmit={(event) => {
        event.preventDefault();
        form.send();
      }}
    >
      <h3>{t('reports.saveThis')}</h3>
      <TextField {...form.field('name', t('common.name'))} placeholder={t('reports.savePlaceholder')} maxLength={200} />
      <TextField
        {...recipients}
        value={people}
        onChange={(text) => {
          setPeople(text);
          recipients.onChange(addressesIn(text));
        }}
        hint={t('reports.recipientsHint')}
      />
      <Button type="submit" variant="primary" isPending={form.isPending}>
        {t('reports.save')}
      </Button>
    </form>
  );
}
