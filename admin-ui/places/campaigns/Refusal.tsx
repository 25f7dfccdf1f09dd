/** Says beside a field what is wrong with it, where the field does not. */
export function Refusal({ children }: { children: string }) {
  return (
    <p className="field-error" role="alert">
      {children}
    </p>
  );
}
