import * as about from './en/about.ts';
import * as account from './en/account.ts';
import * as activity from './en/activity.ts';
import * as attention from './en/attention.ts';
import * as bin from './en/bin.ts';
import * as brand from './en/brand.ts';
import * as campaigns from './en/campaigns.ts';
import * as chain from './en/chain.ts';
import * as common from './en/common.ts';
import * as content from './en/content.ts';
import * as designer from './en/designer.ts';
import * as exchange from './en/exchange.ts';
import * as find from './en/find.ts';
import * as groups from './en/groups.ts';
import * as held from './en/held.ts';
import * as kiosk from './en/kiosk.ts';
import * as layouts from './en/layouts.ts';
import * as overlay from './en/overlay.ts';
import * as playback from './en/playback.ts';
import * as playbackPreview from './en/playbackPreview.ts';
import * as playlists from './en/playlists.ts';
import * as reports from './en/reports.ts';
import * as rights from './en/rights.ts';
import * as schedule from './en/schedule.ts';
import * as screens from './en/screens.ts';
import * as screenTools from './en/screenTools.ts';
import * as selection from './en/selection.ts';
import * as server from './en/server.ts';
import * as settings from './en/settings.ts';
import * as signIn from './en/signIn.ts';
import * as templates from './en/templates.ts';
import * as terms from './en/terms.ts';
import * as updates from './en/updates.ts';
import * as walls from './en/walls.ts';
import * as widgets from './en/widgets.ts';
import * as window from './en/window.ts';

/** All English texts of the admin window. The German texts must have the same keys (texts.ts). */
export const en = {
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
