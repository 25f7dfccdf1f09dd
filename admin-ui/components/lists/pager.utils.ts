/** Reads the page number from an address. The result counts from 0; the address counts from 1. */
export const pageOf = (search: { readonly page?: string | undefined }): number => {
  const page = Number(search.page ?? 1);
  return Number.isInteger(page) && page >= 1 ? page - 1 : 0;
};
