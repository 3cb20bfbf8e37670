import type { Outcome, Session } from './session';

/** A script for each shell. All of them ask `svcgen __complete`, so that they never get old. */
const SCRIPTS: { [shell: string]: string } = {
  bash: `# svcgen in bash. In ~/.bashrc: eval "$(svcgen completion bash)"
_svcgen() {
  local word words=() current=\${COMP_WORDS[COMP_CWORD]}
  # bash takes --kind=Device for three words.
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do [[ $word == = ]] || words+=("$word"); done
  if [[ $current == = ]]; then words+=('') current=; fi
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    case $word in
      :files) compopt -o default 2>/dev/null ;;
      :folders) compopt -o dirnames 2>/dev/null ;;
      # What is inserted is typed into the shell: a name must not be able to run anything.
      *) printf -v word %q "$word"; COMPREPLY+=("$word") ;;
    esac
  done < <("\${COMP_WORDS[0]}" __complete -- "\${words[@]}" 2>/dev/null)
}
complete -F _svcgen svcgen
`,
  zsh: `#compdef svcgen
# svcgen in zsh. In ~/.zshrc, after compinit: eval "$(svcgen completion zsh)"
_svcgen() {
  local line
  local -a found
  while IFS= read -r line; do
    case $line in
      :files) _files ;;
      :folders) _files -/ ;;
      *) found+=("\${line/$'\\t'/:}") ;;
    esac
  done < <("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe -V svcgen found; fi
}
if [[ \${funcstack[1]} == _svcgen ]]; then _svcgen "$@"; else compdef _svcgen svcgen; fi
`,
  fish: `# svcgen in fish: svcgen completion fish > ~/.config/fish/completions/svcgen.fish
function __svcgen_complete
  set -l words (commandline -opc) (commandline -ct)
  for line in ($words[1] __complete -- $words[2..-1] 2>/dev/null)
    switch $line
      case :files
        __fish_complete_path (commandline -ct)
      case :folders
        __fish_complete_directories (commandline -ct)
      case '*'
        echo $line
    end
  end
end
complete --command svcgen --no-files --keep-order --arguments '(__svcgen_complete)'
`,
};

/** `svcgen completion <shell>`: the script that completes svcgen's command line there. */
export async function run(_session: Session, _options: object, [shell]: string[]): Promise<Outcome> {
  const script = SCRIPTS[shell];
  return { exit: 0, text: script, more: { script } };
}
