//! The arguments of `serve`.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use clap::Args;
use color_eyre::eyre::{self, bail};

use super::values::number;
use crate::config::parse_duration;

#[derive(Debug, Args)]
pub struct ServeArguments {
    /// Address to listen at; 0.0.0.0 lets other machines in
    #[arg(long, value_name = "IP", value_parser = address, default_value_t = Ipv4Addr::LOCALHOST.into())]
    pub address: IpAddr,
    /// Port to listen at; 0 means any free port
    #[arg(long, value_parser = number(0..=u16::MAX), default_value_t = 8080)]
    pub port: u16,
    /// Wait this long before each response, like 200ms or 2s
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, default_value = "0s")]
    pub latency: Duration,
    /// Lose the response after carrying out, with this probability: 0 to 1, or a percentage like 30%
    #[arg(long, value_name = "P", value_parser = probability, default_value = "0")]
    pub lose_responses: f64,
    /// Respond 500 with this probability; half of these requests are carried out first
    #[arg(long, value_name = "P", value_parser = probability, default_value = "0")]
    pub fail: f64,
    /// Respond 422 and carry out nothing, with this probability
    #[arg(long, value_name = "P", value_parser = probability, default_value = "0")]
    pub reject: f64,
    /// Delay each response by a random time up to 2s, so that responses overtake each other
    #[arg(long)]
    pub out_of_order: bool,
    /// Respond 401 to every token
    #[arg(long)]
    pub reject_token: bool,
}

fn address(typed: &str) -> Result<IpAddr, &'static str> {
    typed.parse().map_err(|_| "write an IP address, like 127.0.0.1 or ::1")
}

fn probability(typed: &str) -> eyre::Result<f64> {
    let value = match typed.strip_suffix('%') {
        Some(percent) => percent.parse::<f64>().map(|percent| percent / 100.0),
        None => typed.parse(),
    };
    match value {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        Ok(_) | Err(_) => bail!("write a probability from 0 to 1, or from 0% to 100%"),
    }
}
