//! The command line of every server: stdio for hosts, HTTP, and a look at what it offers by hand.

mod call;
mod prompt;

use std::{io::IsTerminal, process::exit};

use lexopt::{Arg, Parser};

#[cfg(feature = "http")]
use crate::HttpService;
use crate::{Implementation, Result, Server, ServerHandle};

impl Server {
    /// Does what the command line says: without arguments it serves a host on stdin and stdout;
    /// `serve --addr 127.0.0.1:8000` serves HTTP; `tools` shows what is offered; `call` calls a tool;
    /// `--help` explains.
    ///
    /// What is wrong with the command line or with the server goes to stderr, and the process ends
    /// with exit code 2.
    ///
    /// # Errors
    ///
    /// When stdin or stdout fails, or the address cannot be served.
    pub async fn run(self) -> Result<()> {
        match Command::from_env() {
            command @ (Command::Help | Command::Version) => {
                command.say(&self.identity);
                Ok(())
            }
            #[cfg(feature = "http")]
            Command::Serve { addr } => {
                // What is wrong with the server comes first, and has nothing to do with the address.
                serve(self.http().unwrap_or_else(|error| stop(&error.to_string())), &addr).await;
                Ok(())
            }
            command => {
                let server = self.build().unwrap_or_else(|error| stop(&error.to_string()));
                command.run(&server).await
            }
        }
    }
}

impl ServerHandle {
    /// Does what the command line says, as [`Server::run`] does, for a program that keeps a handle of its
    /// own to publish changes.
    ///
    /// # Errors
    ///
    /// When stdin or stdout fails, or the address cannot be served.
    pub async fn run(&self) -> Result<()> {
        Command::from_env().run(self).await
    }
}

/// Ends the process with exit code 2.
fn stop(why: &str) -> ! {
    eprintln!("error: {why}");
    exit(2)
}

const USAGE: &str = "\
Usage:
  (no arguments)                  serve a host on stdin and stdout
  serve [--addr 127.0.0.1:8000]   serve HTTP, at /mcp
  tools                           show the tools and their arguments
  call TOOL [--ARGUMENT VALUE]…   call a tool, and answer its questions here
  --help, --version";

/// What the command line says.
#[derive(Debug, PartialEq)]
enum Command {
    Stdio,
    Serve { addr: String },
    Tools,
    Call { tool: String, arguments: Vec<(String, Option<String>)> },
    Help,
    Version,
}

#[cfg(feature = "http")]
async fn serve(service: HttpService, addr: &str) {
    let failed = |error| stop(&format!("cannot serve at `{addr}` (written as HOST:PORT): {error}"));
    service.serve(addr).await.unwrap_or_else(failed);
}

impl Command {
    fn from_env() -> Self {
        Self::read(Parser::from_env()).unwrap_or_else(|error| stop(&format!("{error}\n\n{USAGE}")))
    }

    fn say(&self, identity: &Implementation) {
        println!("{} {}", identity.name, identity.version);
        if *self == Self::Help {
            println!("\n{USAGE}");
        }
    }

    async fn run(self, server: &ServerHandle) -> Result<()> {
        match self {
            Self::Help | Self::Version => self.say(&server.core.identity),
            #[cfg(feature = "http")]
            Self::Serve { addr } => {
                serve(server.http().unwrap_or_else(|error| stop(&error.to_string())), &addr).await;
            }
            #[cfg(not(feature = "http"))]
            Self::Serve { .. } => stop("this server was built without the feature `http`"),
            Self::Stdio => {
                if std::io::stdin().is_terminal() {
                    eprintln!(
                        "{} speaks the Model Context Protocol on stdin and stdout, and waits for a host. Press Ctrl-D \
                         to end it; --help shows what else it can do.",
                        server.core.identity.name
                    );
                }
                server.serve_stdio().await?;
            }
            Self::Tools => print!("{}", call::tools(server).await?),
            Self::Call { tool, arguments } => match call::call(server, &tool, arguments).await {
                Ok(true) => {}
                Ok(false) => exit(1),
                Err(error) => stop(&error.to_string()),
            },
        }
        Ok(())
    }

    fn read(mut parser: Parser) -> Result<Self, lexopt::Error> {
        let command = match parser.next()? {
            None => return Ok(Self::Stdio),
            Some(Arg::Long("help") | Arg::Short('h')) => return Ok(Self::Help),
            Some(Arg::Long("version") | Arg::Short('V')) => return Ok(Self::Version),
            Some(Arg::Value(command)) => command.to_string_lossy().into_owned(),
            Some(other) => return Err(other.unexpected()),
        };
        match &*command {
            "stdio" => Self::end(parser, Self::Stdio),
            "tools" => Self::end(parser, Self::Tools),
            "help" => Ok(Self::Help),
            "serve" => Self::serve(parser),
            "call" => Self::call(parser),
            other => Err(format!("there is no command `{other}`").into()),
        }
    }

    fn end(mut parser: Parser, command: Self) -> Result<Self, lexopt::Error> {
        match parser.next()? {
            None => Ok(command),
            Some(Arg::Long("help") | Arg::Short('h')) => Ok(Self::Help),
            Some(other) => Err(other.unexpected()),
        }
    }

    fn serve(mut parser: Parser) -> Result<Self, lexopt::Error> {
        let mut addr = "127.0.0.1:8000".to_owned();
        while let Some(arg) = parser.next()? {
            match arg {
                Arg::Long("addr") => addr = parser.value()?.to_string_lossy().into_owned(),
                Arg::Long("help") | Arg::Short('h') => return Ok(Self::Help),
                other => return Err(other.unexpected()),
            }
        }
        Ok(Self::Serve { addr })
    }

    fn call(mut parser: Parser) -> Result<Self, lexopt::Error> {
        let tool = match parser.next()? {
            Some(Arg::Value(tool)) => tool.to_string_lossy().into_owned(),
            Some(Arg::Long("help") | Arg::Short('h')) => return Ok(Self::Help),
            Some(other) => return Err(other.unexpected()),
            None => return Err("`call` needs the name of a tool; `tools` shows them".into()),
        };
        let mut arguments = Vec::new();
        while let Some(arg) = parser.next()? {
            let name = match arg {
                Arg::Long(name) => name.to_owned(),
                other => return Err(other.unexpected()),
            };
            // `--exact` alone is a truth; whatever follows and is no option is the value.
            let value = match parser.optional_value() {
                Some(value) => Some(value),
                None => {
                    let mut rest = parser.try_raw_args().ok_or("an option inside of an option")?;
                    rest.next_if(|next| !next.to_string_lossy().starts_with("--"))
                }
            };
            arguments.push((name, value.map(|value| value.to_string_lossy().into_owned())));
        }
        Ok(Self::Call { tool, arguments })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(args: &[&str]) -> Result<Command, String> {
        Command::read(Parser::from_args(args)).map_err(|error| error.to_string())
    }

    #[test]
    fn no_arguments_mean_stdio() {
        assert_eq!(read(&[]), Ok(Command::Stdio));
    }

    #[test]
    fn serve_has_a_local_address_unless_told() {
        assert_eq!(read(&["serve"]), Ok(Command::Serve { addr: "127.0.0.1:8000".into() }));
        assert_eq!(read(&["serve", "--addr", "[::1]:1"]), Ok(Command::Serve { addr: "[::1]:1".into() }));
    }

    #[test]
    fn arguments_of_a_call_have_values_or_are_truths() {
        let arguments = vec![
            ("title".to_owned(), Some("Dune".to_owned())),
            ("exact".to_owned(), None),
            ("offset".to_owned(), Some("-2".to_owned())),
            ("note".to_owned(), Some("a=b".to_owned())),
        ];
        assert_eq!(
            read(&["call", "reserve", "--title", "Dune", "--exact", "--offset", "-2", "--note=a=b"]),
            Ok(Command::Call { tool: "reserve".into(), arguments })
        );
    }

    #[test]
    fn what_is_not_known_is_said() {
        assert_eq!(read(&["dance"]), Err("there is no command `dance`".into()));
        assert!(read(&["serve", "--port", "1"]).is_err());
        assert!(read(&["tools", "more"]).is_err());
        assert!(read(&["call"]).is_err());
    }
}
