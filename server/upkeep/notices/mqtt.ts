/**
 * Publishes notices to an MQTT broker, for Home Assistant, Node-RED and similar systems. Reconnects forever. Notices
 * during an outage are lost, but the status is retained.
 */
import type { MqttClient } from 'mqtt';
import type { Lifecycle } from '../../kernel/lifecycle.ts';
import type { Log } from '../../kernel/log.ts';
import type { Notice, Outlet } from './events.ts';

const RECONNECT_MS = 10_000;
/** Maximum number of unsent messages in memory, for a slow broker. Enough for the status of some thousand screens. */
const MAX_WAITING = 10_000;
const STOP_MS = 1_000;

interface MqttTarget {
  /** Address of the broker; '' when MQTT is not used. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Prefix of all MQTT topics. */
  readonly topic: string;
}

export interface Message {
  readonly topic: string;
  readonly body: string;
  readonly retain: boolean;
}

interface Deps {
  readonly target: () => MqttTarget;
  readonly log: Log;
}

export class MqttOutlet implements Lifecycle, Outlet {
  readonly name = 'mqtt';
  readonly #deps: Deps;
  #onConnect = (): void => {};
  #client: MqttClient | undefined;
  #connectedTo = '';
  /** MQTT topic of the present connection, because the settings may already have another topic. */
  #topic = '';
  #failure: string | null = null;
  #waiting = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  start(): void {
    void this.refresh();
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    this.#connectedTo = '';
    if (!client) return;
    const gone = new Promise<void>((done) => {
      if (client.connected)
        client.publish(`${this.#topic}/server`, 'offline', { qos: 1, retain: true }, () =>
          client.end(false, {}, () => done()),
        );
      else client.end(true, {}, () => done());
    });
    await Promise.race([gone, new Promise((done) => setTimeout(done, STOP_MS).unref())]);
    client.end(true);
  }

  /** Reason why there is no connection; null when connected or not configured. */
  get failure(): string | null {
    return this.#deps.target().url ? this.#failure : null;
  }

  /** Reconnects if the settings have changed. */
  async refresh(): Promise<void> {
    const target = this.#deps.target();
    const key = JSON.stringify(target);
    if (key === this.#connectedTo) return;
    await this.stop();
    this.#failure = null;
    if (!target.url) return;
    this.#connectedTo = key;
    const { connect } = await import('mqtt');
    // Checks the settings again, because they may have changed, or the server may have stopped, while the library was
    // being loaded.
    if (this.#connectedTo !== key) return;
    const will = { topic: `${target.topic}/server`, payload: Buffer.from('offline'), qos: 1 as const, retain: true };
    this.#failure = 'Not connected yet';
    const client = connect(target.url, {
      ...(target.username && { username: target.username, password: target.password }),
      reconnectPeriod: RECONNECT_MS,
      connectTimeout: 10_000,
      queueQoSZero: false,
      will,
    });
    this.#client = client;
    this.#topic = target.topic;
    client.on('connect', () => {
      this.#failure = null;
      this.#publish({ topic: `${target.topic}/server`, body: 'online', retain: true });
      this.#onConnect();
    });
    client.on('error', (error) => {
      this.#failure = error.message || String((error as { code?: unknown }).code ?? 'unreachable');
    });
    client.on('close', () => {
      this.#failure ??= 'The connection was closed';
    });
  }

  /** Sets the only listener, called after each connection to the broker. */
  onConnect(listener: () => void): void {
    this.#onConnect = listener;
  }

  send(notice: Notice): void {
    for (const message of messagesOf(notice, this.#topic)) this.#publish(message);
  }

  /** Removes the retained status of a deleted screen, by an empty message. */
  forget(screenId: string): void {
    this.#publish({ topic: `${this.#topic}/screen/${screenId}`, body: '', retain: true });
  }

  /** Sends a notice once. Resolves with the result as text. */
  try(notice: Notice): Promise<string> {
    const client = this.#client;
    if (!this.#deps.target().url) return Promise.resolve('No MQTT broker is configured');
    if (!client?.connected) return Promise.resolve(this.#failure ?? 'Not connected');
    const [message] = messagesOf(notice, this.#topic);
    return new Promise((done) =>
      client.publish(message!.topic, message!.body, { qos: 1 }, (error) => done(error ? error.message : 'Delivered')),
    );
  }

  #publish({ topic, body, retain }: Message): void {
    const client = this.#client;
    if (!client?.connected || this.#waiting >= MAX_WAITING) return;
    this.#waiting++;
    client.publish(topic, body, { qos: retain ? 1 : 0, retain }, () => {
      this.#waiting--;
    });
  }
}

/** Returns the messages of a notice. The status of a screen is retained for later subscribers. */
const messagesOf = (notice: Notice, topic: string): Message[] => {
  switch (notice.type) {
    case 'screen.online':
    case 'screen.offline':
    case 'screen.dark':
    case 'screen.back': {
      const { id, name, workspace_id } = notice.screen;
      const status = notice.type === 'screen.back' ? 'online' : notice.type.slice('screen.'.length);
      return [
        {
          topic: `${topic}/screen/${id}`,
          body: JSON.stringify({ status, name, workspace_id, at: notice.at }),
          retain: true,
        },
      ];
    }
    case 'plays':
      return notice.plays.map((play) => ({
        topic: `${topic}/plays/${play.device_id}`,
        body: JSON.stringify(play),
        retain: false,
      }));
    default:
      return [{ topic: `${topic}/events`, body: JSON.stringify(notice), retain: false }];
  }
};
