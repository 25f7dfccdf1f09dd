/** Reads the number of the list page from an address: from 0 in the program, from 1 in the address. */
export const pageOf = (search: { readonly page?: string | undefined }): number => {
  const page = Number(search.page ?? 1);
  return Number.isInteger(page) && page >= 1 ? page - 1 : 0;
};
