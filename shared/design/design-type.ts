/** Media type of designs. A file of its own, so that code that only names the type loads no schemas. */
export const DESIGN_TYPE = 'application/vnd.vitrine.design+json';
