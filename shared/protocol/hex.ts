import { z } from 'zod';

/** Schema for a text of exactly `digits` lower-case hexadecimal digits. */
export const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
