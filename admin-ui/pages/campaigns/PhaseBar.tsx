import { useTranslation } from 'react-i18next';
import type { PhaseCounts } from '../../../shared/contract/headquarters/campaigns.ts';
import { useFormat } from '../../i18n/useFormat.ts';
import { storesIn, WORST_FIRST } from './campaigns.utils.ts';

/**
 * Bar with the share of stores per phase, phases with problems first. Patterns carry the same information as
 * colours.
 */
export function PhaseBar({ phases }: { phases: PhaseCounts }) {
  const { t } = useTranslation();
  const format = useFormat();
  const parts = WORST_FIRST.filter((phase) => phases[phase] > 0);
  const said = parts.map((phase) => `${t(`campaigns.phase.${phase}`)}: ${format.number(phases[phase])}`);
  return (
    <span
      className="phase-bar"
      role="img"
      aria-label={storesIn(phases) === 0 ? t('campaigns.noStores') : format.list(said)}
    >
      {parts.map((phase) => (
        <span key={phase} className={`phase-mark ${phase}`} style={{ flexGrow: phases[phase] }} />
      ))}
    </span>
  );
}
