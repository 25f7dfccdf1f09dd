/**
 * Controls for transitions between items: the transition of a playlist, and an item's own transition.
 */
import type { TFunction } from 'i18next';
import { Blend } from 'lucide-react';
import { type CSSProperties, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LONGEST_TRANSITION_MS, Transition } from '../../../shared/program/program.ts';
import { USUAL_TRANSITION_MS } from '../../../shared/program/transition.ts';
import { RadioCards } from '../../components/choices/RadioCards.tsx';
import { Button } from '../../components/controls/Button.tsx';
import { Dialog } from '../../components/controls/Dialog.tsx';
import { NumberField } from '../../components/fields/NumberField.tsx';
import { Explained } from '../../domain/records/TermHelp.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { useLocaleTag } from '../../i18n/useFormat.ts';
import './transitions.css';

type Kind = Transition['kind'];
const KINDS: readonly Kind[] = Transition.shape.kind.options;
const CUT: Transition = { kind: 'cut', ms: 0 };
const AS_PLAYLIST = 'playlist';

/** Returns a transition in words: "Fade, 0.6 s"; "Cut". */
export const transitionInWords = (
  transition: Transition | null,
  { t, locale }: { t: TFunction; locale: string },
): string => {
  const { kind, ms } = transition ?? CUT;
  const name = t(`transitions.kind.${kind}`);
  return kind === 'cut' ? name : t('transitions.withLength', { name, seconds: formatNumber(locale, ms / 1000, 1) });
};

type DialogProps = {
  title: string;
  lead: string;
  value: Transition | null;
  /** The playlist's transition, which applies to an item without its own transition. Absent for a playlist. */
  general?: Transition | null;
  onSave: (transition: Transition | null) => void;
  onClose: () => void;
};

export function TransitionDialog({ title, lead, value, general, onSave, onClose }: DialogProps) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const ofItem = general !== undefined;
  const [kind, setKind] = useState<Kind | typeof AS_PLAYLIST>(value?.kind ?? (ofItem ? AS_PLAYLIST : 'cut'));
  const [ms, setMs] = useState(value?.ms || USUAL_TRANSITION_MS);
  const chosen = kind === AS_PLAYLIST ? null : kind === 'cut' ? CUT : { kind, ms };
  const asPlaylist = {
    value: AS_PLAYLIST,
    label: t('transitions.asPlaylist'),
    hint: transitionInWords(general ?? null, { t, locale }),
  } as const;
  return (
    <Dialog
      title={title}
      size="wide"
      onClose={onClose}
      onSubmit={() => {
        onSave(ofItem || chosen?.kind !== 'cut' ? chosen : null);
        onClose();
      }}
      actions={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" variant="primary">
            {t('common.save')}
          </Button>
        </>
      }
    >
      <p>{lead}</p>
      <div className="transition-choice">
        <Explained term="transition">
          <RadioCards<Kind | typeof AS_PLAYLIST>
            label={t('transitions.title')}
            value={kind}
            onChange={setKind}
            options={[
              ...(ofItem ? [asPlaylist] : []),
              ...KINDS.map((one) => ({
                value: one,
                label: t(`transitions.kind.${one}`),
                hint: t(`transitions.hint.${one}`),
              })),
            ]}
          />
        </Explained>
        <div className="transition-shown">
          <Demo transition={chosen ?? general ?? CUT} />
          {kind !== 'cut' && kind !== AS_PLAYLIST && (
            <NumberField
              label={t('transitions.length')}
              hint={t('transitions.lengthHint')}
              value={ms / 1000}
              onChange={(seconds) => setMs(seconds === null ? USUAL_TRANSITION_MS : Math.round(seconds * 1000))}
              min={0.1}
              max={LONGEST_TRANSITION_MS / 1000}
              step={0.1}
              digits={1}
              unit={t('playlist.seconds')}
            />
          )}
        </div>
      </div>
    </Dialog>
  );
}

/** Milliseconds for which each picture of the demonstration stands still. */
const REST_MS = 1100;

/** Two pictures that alternate endlessly to show a transition. */
function Demo({ transition: { kind, ms } }: { transition: Transition }) {
  const [turn, setTurn] = useState(1);
  useEffect(() => {
    const timer = setInterval(() => setTurn((n) => n + 1), ms + REST_MS);
    return () => clearInterval(timer);
  }, [ms]);
  const style: CSSProperties = { animationDuration: `${ms}ms` };
  return (
    <div className="transition-demo" aria-hidden>
      <span key={turn - 1} className={`demo-${(turn - 1) % 2} leaves-${kind}`} style={style} />
      <span key={turn} className={`demo-${turn % 2} comes-${kind}`} style={style} />
    </div>
  );
}

type ButtonProps = { value: Transition | null; isDisabled: boolean; onSave: (transition: Transition | null) => void };

/** Button above the list for the transition of all items without their own transition. */
export function PlaylistTransition({ value, isDisabled, onSave }: ButtonProps) {
  const { t } = useTranslation();
  const locale = useLocaleTag();
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button icon={Blend} size="small" isDisabled={isDisabled} onPress={() => setOpen(true)}>
        {t('transitions.button', { transition: transitionInWords(value, { t, locale }) })}
      </Button>
      {open && (
        <TransitionDialog
          title={t('transitions.title')}
          lead={t('transitions.lead')}
          value={value}
          onSave={onSave}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
