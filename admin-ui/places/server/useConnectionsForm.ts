import { type Connections, type ConnectionsChange, updateConnections } from '../../../shared/contract/server.ts';
import { client } from '../../data/client.ts';
import { useSettingsForm } from './useSettingsForm.ts';

export const useConnectionsForm = (settings: Connections) =>
  useSettingsForm<Connections, ConnectionsChange>(settings, (body) => client.call(updateConnections, { body }));
