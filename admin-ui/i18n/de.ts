import * as about from './de/about.ts';
import * as account from './de/account.ts';
import * as activity from './de/activity.ts';
import * as attention from './de/attention.ts';
import * as bin from './de/bin.ts';
import * as brand from './de/brand.ts';
import * as campaigns from './de/campaigns.ts';
import * as chain from './de/chain.ts';
import * as common from './de/common.ts';
import * as content from './de/content.ts';
import * as designer from './de/designer.ts';
import * as exchange from './de/exchange.ts';
import * as find from './de/find.ts';
import * as groups from './de/groups.ts';
import * as held from './de/held.ts';
import * as kiosk from './de/kiosk.ts';
import * as layouts from './de/layouts.ts';
import * as overlay from './de/overlay.ts';
import * as playback from './de/playback.ts';
import * as playbackPreview from './de/playbackPreview.ts';
import * as playlists from './de/playlists.ts';
import * as reports from './de/reports.ts';
import * as rights from './de/rights.ts';
import * as schedule from './de/schedule.ts';
import * as screens from './de/screens.ts';
import * as screenTools from './de/screenTools.ts';
import * as selection from './de/selection.ts';
import * as server from './de/server.ts';
import * as settings from './de/settings.ts';
import * as signIn from './de/signIn.ts';
import * as templates from './de/templates.ts';
import * as terms from './de/terms.ts';
import * as updates from './de/updates.ts';
import * as walls from './de/walls.ts';
import * as widgets from './de/widgets.ts';
import * as window from './de/window.ts';
import type { Texts } from './texts.ts';

export const de: Texts = {
  ...about,
  ...account,
  ...activity,
  ...attention,
  ...bin,
  ...brand,
  ...campaigns,
  ...chain,
  ...common,
  ...content,
  ...designer,
  ...exchange,
  ...find,
  ...groups,
  ...held,
  ...kiosk,
  ...layouts,
  ...playback,
  ...playbackPreview,
  ...overlay,
  ...playlists,
  ...reports,
  ...rights,
  ...schedule,
  ...screens,
  ...screenTools,
  ...selection,
  ...server,
  ...settings,
  ...signIn,
  ...templates,
  ...terms,
  ...updates,
  ...walls,
  ...widgets,
  ...window,
};
