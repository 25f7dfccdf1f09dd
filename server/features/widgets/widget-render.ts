/** Renders public pages and previews, with the current data inside. */

import { type WidgetSettings, type WidgetType, widgetTypes } from '../../../shared/contract/content/widget-types.ts';
import type { WidgetData } from '../../../shared/contract/content/widgets.ts';
import { notFound } from '../../../shared/contract/errors.ts';
import type { Clock } from '../../kernel/time/clock.ts';
import type { Config } from './config-rules.ts';
import type { PageDocument } from './pages/document.ts';
import { widgetPage } from './pages/widget-page.ts';
import type { SourceRefresher } from './source-refresher.ts';
import { checkWidgetConfig, settingsOf } from './widget-config.ts';
import type { Rendered, WidgetDataSource } from './widget-data.ts';
import type { WidgetsStore } from './widgets.store.ts';

/** Maximum time that a preview waits for its first feed, without delaying other requests. */
const PREVIEW_WAIT_MS = 2500;
const RELOAD_SEC = 300;

interface Deps {
  readonly widgets: Pick<WidgetsStore, 'find' | 'findAnywhere'>;
  readonly data: WidgetDataSource;
  readonly refresher: Pick<SourceRefresher, 'want' | 'settled'>;
  readonly clock: Clock;
}

export class WidgetRenderer {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** @throws 404 */
  render(id: string): PageDocument {
    const widget = this.#deps.widgets.findAnywhere(id);
    if (!widget) throw notFound('Widget');
    const type = widget.widget_type as WidgetType;
    return this.#page(settingsOf(type, widget.config), widget.workspace_id, widgetTypes[type].touched ? 0 : RELOAD_SEC);
  }

  /** Renders a preview. Saves nothing except fetched sources. */
  async preview(workspaceId: string, type: WidgetType, config: Config): Promise<PageDocument> {
    checkWidgetConfig(type, config);
    const settings = settingsOf(type, config);
    await within(PREVIEW_WAIT_MS, this.#fetched({ settings, workspaceId }));
    return this.#page(settings, workspaceId, 0);
  }

  /** Returns the data that a device of the workspace shows in the page. @throws 404 */
  data(workspaceId: string, id: string): WidgetData {
    const widget = this.#deps.widgets.find(workspaceId, id);
    if (!widget) throw notFound('Widget');
    this.#deps.refresher.want(this.#deps.data.sourcesOfWidget(widget));
    return this.#deps.data.dataOfWidget(widget) ?? { fetched_at: null, error: null };
  }

  /** Fetches in two rounds, because the pictures of a feed are known only after the feed. */
  async #fetched(rendered: Rendered): Promise<void> {
    for (let round = 0; round < 2; round++) {
      const sources = this.#deps.data.sources(rendered);
      this.#deps.refresher.want(sources);
      await this.#deps.refresher.settled(sources);
    }
  }

  #page(settings: WidgetSettings, workspaceId: string, reload: number): PageDocument {
    this.#deps.refresher.want(this.#deps.data.sources({ settings, workspaceId }));
    return widgetPage(settings, {
      data: this.#deps.data.data({ settings, workspaceId }),
      now: this.#deps.clock.now(),
      reload,
      hints: true,
    });
  }
}

const within = async (ms: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    work,
    new Promise<void>((late) => {
      timer = setTimeout(late, ms);
    }),
  ]);
  clearTimeout(timer);
};
