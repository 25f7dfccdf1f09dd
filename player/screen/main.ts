import './style.css';
import { AgentHost } from './host/agent-host.ts';
import { Screen } from './screen.ts';

const root = document.getElementById('screen');
if (root) {
  const host = new AgentHost(new URL('.', location.href).href);
  const screen = new Screen(root, host);
  void host.start().then(() => screen.start());
}
