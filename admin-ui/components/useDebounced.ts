import { useEffect, useState } from 'react';

/**
 * The value once it has not changed for a while: typing must not ask the server with each letter.
 * @param first what it is until then
 */
export const useDebounced = <T>(value: T, ms: number, first: T = value): T => {
  const [settled, setSettled] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
};
