import { z } from 'zod';

/** A given number of lower-case hexadecimal digits. */
export const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
