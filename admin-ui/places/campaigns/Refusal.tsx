/** Error message beside a control that has none of its own. */
export function Refusal({ children }: { children: string }) {
  return (
    <p className="field-error" role="alert">
      {children}
    </p>
  );
}
