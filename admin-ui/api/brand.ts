import { type Brand, DEFAULT_BRAND } from '../../shared/design/brand.ts';

export const useBrand = (): Brand => DEFAULT_BRAND;
