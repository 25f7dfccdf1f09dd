import { z } from 'zod';

/** So many lower-case hexadecimal digits. */
export const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
