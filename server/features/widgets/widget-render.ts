/** The pages that anybody may open, and previews: with what is known now inside. */
import { notFound } from '../../../shared/contract/errors.ts';
import type { WidgetData, WidgetType } from '../../../shared/contract/widgets.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Config } from './config-rules.ts';
import type { PageDocument } from './pages/document.ts';
import { widgetPage } from './pages/widget-page.ts';
import type { Source } from './sources.ts';
import { checkWidgetConfig, type Settings, settingsOf } from './widget-config.ts';
import type { Rendered, WidgetDataSource } from './widget-data.ts';
import type { WidgetSource } from './widgets.store.ts';

/** A preview is looked at by the person who asked: it waits for its first feed a little, without holding anything up. */
const PREVIEW_WAIT_MS = 2500;
const RELOAD_SEC = 300;
/** Pages that people are using are not taken from under their fingers. */
const TOUCHED: ReadonlySet<WidgetType> = new Set(['directory-search']);

export interface Refresher {
  want(sources: readonly Source[]): void;
  settled(sources: readonly Source[]): Promise<void>;
}

interface Widgets {
  findAnywhere(id: string): WidgetSource | undefined;
  find(workspaceId: string, id: string): WidgetSource | undefined;
}

export class WidgetRenderer {
  readonly #widgets: Widgets;
  readonly #data: WidgetDataSource;
  readonly #refresher: Refresher;
  readonly #clock: Clock;

  constructor(deps: { widgets: Widgets; data: WidgetDataSource; refresher: Refresher; clock: Clock }) {
    this.#widgets = deps.widgets;
    this.#data = deps.data;
    this.#refresher = deps.refresher;
    this.#clock = deps.clock;
  }

  /** @throws 404 */
  render(id: string): PageDocument {
    const widget = this.#widgets.findAnywhere(id);
    if (!widget) throw notFound('Widget');
    const type = widget.widget_type as WidgetType;
    return this.#page(settingsOf(type, widget.config), widget.workspace_id, TOUCHED.has(type) ? 0 : RELOAD_SEC);
  }

  /** Stores nothing but what was fetched for it. */
  async preview(workspaceId: string, type: WidgetType, config: Config): Promise<PageDocument> {
    checkWidgetConfig(type, config);
    const settings = settingsOf(type, config);
    await within(PREVIEW_WAIT_MS, this.#fetched({ settings, workspaceId }));
    return this.#page(settings, workspaceId, 0);
  }

  /** For a device of the workspace. @throws 404 */
  data(workspaceId: string, id: string): WidgetData {
    const widget = this.#widgets.find(workspaceId, id);
    if (!widget) throw notFound('Widget');
    this.#refresher.want(this.#data.sourcesOfWidget(widget));
    return this.#data.dataOfWidget(widget) ?? { fetched_at: null, error: null };
  }

  /** Twice: the pictures of a feed are known once the feed is. */
  async #fetched(rendered: Rendered): Promise<void> {
    for (let round = 0; round < 2; round++) {
      const sources = this.#data.sources(rendered);
      this.#refresher.want(sources);
      await this.#refresher.settled(sources);
    }
  }

  #page(settings: Settings, workspaceId: string, reload: number): PageDocument {
    this.#refresher.want(this.#data.sources({ settings, workspaceId }));
    return widgetPage(settings, { data: this.#data.data({ settings, workspaceId }), now: this.#clock.now(), reload, hints: true });
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
