/** Returns the folders of the files, each once, outer folders first: "Summer", "Summer/Window". */
export const foldersOf = (paths: readonly (readonly string[])[]): readonly (readonly string[])[] => {
  const found = new Map<string, readonly string[]>();
  for (const path of paths)
    for (let depth = 1; depth <= path.length; depth++)
      found.set(JSON.stringify(path.slice(0, depth)), path.slice(0, depth));
  return [...found.values()].toSorted((a, b) => a.length - b.length);
};
