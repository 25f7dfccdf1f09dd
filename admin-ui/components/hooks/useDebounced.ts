import { useEffect, useState } from 'react';

/**
 * Returns the value once it has not changed for a while, so that typing sends no request for each letter.
 * @param first value until then
 */
export const useDebounced = <T>(value: T, ms: number, first: T = value): T => {
  const [settled, setSettled] = useState(first);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
};
