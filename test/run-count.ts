/** Number of random histories that a property test tries. */

/**
 * Returns the number of runs of a property test.
 * @param usual for `npm test`, which every change has to wait for
 * @param thorough for `npm test -- --long`; `VITRINE_RUNS` sets another number
 */
export const runCount = (usual: number, thorough: number): number =>
  Number(process.env['VITRINE_RUNS'] ?? (process.env['VITRINE_THOROUGH'] === '1' ? thorough : usual));
