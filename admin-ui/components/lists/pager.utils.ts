/** The page number of an address. From 0; in the address from 1. */
export const pageOf = (search: { readonly page?: string | undefined }): number => {
  const page = Number(search.page ?? 1);
  return Number.isInteger(page) && page >= 1 ? page - 1 : 0;
};
