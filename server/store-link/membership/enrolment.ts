/** Enrolment of a workspace in a headquarters: finds the headquarters by the typed address, and verifies its key. */
import { badRequest } from '../../../shared/contract/errors.ts';
import type { Parts } from '../../kernel/parts.ts';
import { ConnectionDown, RequestRefused, Unproved } from '../connection/connection.ts';
import { httpsAddress, meet, requestOnce } from '../connection/https-connection.ts';
import type { ChainWorks } from './chain.service.ts';
import { discreetly } from './discreet.ts';

/** Time limit in milliseconds: longer than a headquarters on a slow connection takes to prove its key. */
const ENROL_MS = 12_000;

const noAddress = () => badRequest('address: must be like https://hq.example.com:8711');

export const createEnrolment = ({ log }: Pick<Parts, 'log'>): Pick<ChainWorks, 'addressOf' | 'enrol'> => ({
  addressOf: (given) => {
    const address = httpsAddress(given);
    if (!address) throw noAddress();
    return address;
  },
  enrol: async ({ address, isIt, ask, mayKnow }) => {
    const wanted = httpsAddress(address);
    if (!wanted) throw noAddress();
    try {
      const meeting = meet(wanted, isIt);
      const met = await (mayKnow ? meeting : discreetly(meeting, { ms: ENROL_MS, address: wanted, log }));
      const { store, name, seal_key = null, sticks } = await requestOnce(met, 'enrol', ask(met.fingerprint));
      const { address, key, certificate } = met;
      const numbers = { stick_in: sticks?.written ?? 0, stick_out: sticks?.taken ?? 0 };
      return { store, name, headquarters: met.name, address, key, certificate, seal_key, ...numbers };
    } catch (error) {
      if (error instanceof RequestRefused) throw badRequest(`code: ${error.message}`);
      if (error instanceof Unproved)
        throw badRequest(
          'code: is a code from another headquarters than the one at this address. Nothing was sent to that address.',
        );
      if (error instanceof ConnectionDown) throw badRequest(`address: ${error.message}`);
      throw error;
    }
  },
});
